<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.8" tiledversion="1.8.2" name="trees" tilewidth="16" tileheight="16" tilecount="2" columns="0" objectalignment="center">
 <grid orientation="orthogonal" width="1" height="1"/>
 <tile id="3" type="oak">
  <image width="128" height="16" source="../../../examples/tiled/tiles.png"/>
  <objectgroup draworder="index" id="2">
   <object id="1" name="a collision shape" type="node" x="2" y="3" width="4" height="4"/>
  </objectgroup>
 </tile>
 <tile id="7" type="fir">
  <properties>
   <property name="closed" type="bool" value="true"/>
   <property name="weight" type="int" value="3"/>
  </properties>
  <image width="128" height="16" source="../../../examples/tiled/tiles.png"/>
 </tile>
</tileset>
