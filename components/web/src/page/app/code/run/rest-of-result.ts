/** The rest of a long result, as the gateway keeps it for an hour. */
import { asRecord, count, getJson, text } from '../../net/api.ts'

/** Characters of one request. */
const PAGE = 1_000_000
/** The gateway keeps no longer one than 4 MB, so this ends. */
const MOST_PAGES = 20

/** @throws {ApiError} */
export async function restOfResult(handle: string, from: number): Promise<string> {
  let rest = ''
  let next: number | undefined = from
  for (let page = 0; next !== undefined && page < MOST_PAGES; page++) {
    const path = `/results/${encodeURIComponent(handle)}?offset=${next}&limit=${PAGE}`
    const answer = asRecord(await getJson(path))
    rest += text(answer['text']) ?? ''
    next = count(answer['next'])
  }
  return rest
}
