import { remark } from 'remark'

export default async () => String(await remark().process('Title\n=====\n\n* one\n* **two**\n'))
