import { MongoClient } from 'mongodb'

// No server listens there: what counts is that the driver tries.
export default () =>
  new MongoClient('mongodb://127.0.0.1:1', { serverSelectionTimeoutMS: 200 })
    .connect()
    .catch(({ message }) => message)
