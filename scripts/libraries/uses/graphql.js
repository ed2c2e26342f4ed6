import { buildSchema, graphql } from 'graphql'

export default async () =>
  JSON.parse(
    JSON.stringify(
      await graphql({
        schema: buildSchema('type Query { hello(name: String!): String }'),
        source: '{ hello(name: "Ann") }',
        rootValue: { hello: ({ name }) => `Hello, ${name}` },
      }),
    ),
  )
