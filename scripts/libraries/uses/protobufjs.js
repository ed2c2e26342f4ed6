import protobuf from 'protobufjs'

export default () => {
  const { root } = protobuf.parse(
    'syntax = "proto3"; message Point { int32 x = 1; string name = 2; }',
  )
  const Point = root.lookupType('Point')
  const bytes = Point.encode(Point.create({ x: 300, name: 'Zoë' })).finish()
  return [[...bytes], Point.toObject(Point.decode(bytes))]
}
