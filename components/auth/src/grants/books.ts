/** The book of each user in the store: one entry a user, so what strangers do takes no room. */
import { isArrayOf, isObject, isString } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import type { Vault } from '../vault.ts'
import type { Book, Family, Grant, User } from './book.ts'

const PREFIX = 'auth:user:'
/** Of users at once: an answer must end in time. */
const MOST_BOOKS = 1_000

const keyOf = async (sub: string) => PREFIX + (await sha256(sub)).slice(0, 40)

/** @param next without a book, nothing is written. */
export async function changeBook<T>(
  vault: Vault,
  sub: string,
  next: (book: Book | undefined) => { book?: Book; result: T },
): Promise<T> {
  return vault.change(await keyOf(sub), (value) => {
    const { book, result } = next(bookIn(value))
    return { value: book, result }
  })
}

/** What is read was sealed here, but an earlier version may have had another form. */
function bookIn(value: unknown): Book | undefined {
  if (!isObject(value)) return undefined
  const { user, grants, left } = value
  if (!isUser(user) || !isArrayOf(grants, isGrant)) return undefined
  return { user, grants, ...(typeof left === 'number' && { left }) }
}

export function isUser(value: unknown): value is User {
  return (
    isObject(value) &&
    isString(value['sub']) &&
    isString(value['name']) &&
    isArrayOf(value['groups'], isString) &&
    (value['facts'] === undefined || isArrayOf(value['facts'], isString))
  )
}

function isGrant(value: unknown): value is Grant {
  return (
    isObject(value) &&
    ['client', 'name', 'place'].every((name) => isString(value[name])) &&
    ['created', 'used'].every((name) => typeof value[name] === 'number') &&
    isArrayOf(value['families'], isFamily)
  )
}

function isFamily(value: unknown): value is Family {
  return (
    isObject(value) &&
    ['id', 'resource'].every((name) => isString(value[name])) &&
    ['generation', 'until'].every((name) => typeof value[name] === 'number') &&
    isArrayOf(value['scopes'], isString)
  )
}

/** Earlier sign-ins of the user follow what the upstream server says now, also if it permits none any more. */
export async function renewUser(vault: Vault, user: User): Promise<void> {
  const isNew = (before: User) => JSON.stringify(before) !== JSON.stringify(user)
  await changeBook(vault, user.sub, (book) => ({
    ...(book && isNew(book.user) && { book: { ...book, user } }),
    result: undefined,
  }))
}

/** The user ends all sessions at the page of grants. */
export async function leave(vault: Vault, user: User, now: number): Promise<void> {
  await changeBook(vault, user.sub, (book) => ({
    book: { user, grants: [], ...book, left: now },
    result: undefined,
  }))
}

/** What a user has allowed. */
export async function readBook(vault: Vault, sub: string): Promise<Book | undefined> {
  return bookIn(await vault.read(await keyOf(sub)))
}

/** What all users have allowed, without those that cannot be read. */
export async function allBooks(vault: Vault): Promise<{ books: Book[]; isWhole: boolean }> {
  const keys = await vault.keys(PREFIX)
  const books: Book[] = []
  for (const key of keys.slice(0, MOST_BOOKS)) {
    const book = bookIn(await vault.read(key))
    if (book) books.push(book)
  }
  return { books, isWhole: keys.length <= MOST_BOOKS }
}
