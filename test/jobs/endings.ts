import { expect } from 'vitest'
import { canRead, type Ending, type Place, READERS, shown } from './readers.ts'

/** All readers at once, those that come at this moment. */
export async function readByAll(place: Place, id: string): Promise<[name: string, Ending][]> {
  const all = Object.entries(READERS).filter(([name]) => canRead(name, id))
  return Promise.all(
    all.map(async ([name, reader]): Promise<[string, Ending]> => [name, await reader(place, id)]),
  )
}

/** Checks that every reader got a picture, and that all pictures are the same. */
export async function expectOnePicture(endings: [name: string, Ending][]): Promise<void> {
  const pictures = await Promise.all(
    endings.map(async ([name, ending]) => [name, await shown(ending)] as const),
  )
  const [first] = pictures
  expect(pictures).toEqual(pictures.map(([name]) => [name, first?.[1]]))
}

/** Checks that every reader got the same reason. */
export function expectFailure(endings: [name: string, Ending][], reason: RegExp): void {
  const [first] = endings
  const [said] = reason.exec(JSON.stringify(first?.[1].answer)) ?? []
  expect(said, JSON.stringify(first)).toBeDefined()
  for (const [name, { completed, answer }] of endings) {
    expect(completed, name).toBe(false)
    expect(JSON.stringify(answer), name).toContain(said)
  }
}

/** The stored end, read twice with more time between than a look at ComfyUI needs to become due. */
export async function expectFinal({ url }: Place, id: string): Promise<void> {
  const read = async () => (await (await fetch(`${url}/jobs/${id}`)).json()) as { status: string }
  const before = await read()
  expect(before.status).toMatch(/^(completed|failed|cancelled)$/)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await read()).toEqual(before)
}
