<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.8" tiledversion="1.8.2" name="tiles" tilewidth="16" tileheight="16" tilecount="8" columns="8" objectalignment="top">
 <image source="../../../examples/tiled/tiles.png" width="128" height="16"/>
 <tile id="1" type="road"/>
 <tile id="2" type="water">
  <properties>
   <property name="closed" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="3">
  <properties>
   <property name="tag" value="fen"/>
   <property name="weight" type="float" value="2"/>
  </properties>
 </tile>
 <tile id="4">
  <properties>
   <property name="closed" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="5" type="ford"/>
 <tile id="6" type="road"/>
</tileset>
