return { sequence = function(W) return 0 end }
