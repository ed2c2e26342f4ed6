import { MongoClient } from 'mongodb'

export default () => typeof new MongoClient('mongodb://127.0.0.1').db
