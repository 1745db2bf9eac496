<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.8" tiledversion="1.8.2" name="hexes" tilewidth="28" tileheight="32" tilecount="4" columns="4">
 <image source="hexes.png" width="112" height="32"/>
 <tile id="1" type="forest">
  <properties>
   <property name="weight" type="float" value="2"/>
  </properties>
 </tile>
 <tile id="2" type="water">
  <properties>
   <property name="closed" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="3" type="bridge"/>
</tileset>
