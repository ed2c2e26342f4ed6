import { describe, expect, test } from 'vitest'
import { ComputingAccounts, type Turn } from './computing-accounts.ts'

const turn = (ms: number, more: Partial<Turn> = {}): Turn => ({
  component: 'tool',
  isGateway: false,
  sender: 'ada',
  ms,
  ...more,
})

describe('a component', () => {
  test('is slow after one long turn, or many in a second', () => {
    expect(new ComputingAccounts().charge(turn(150), 0)).toEqual({ slowComponent: true })
    const accounts = new ComputingAccounts()
    expect(accounts.charge(turn(60), 0)).toEqual({})
    expect(accounts.charge(turn(60), 10)).toEqual({})
    expect(accounts.charge(turn(60), 20)).toEqual({ slowComponent: true })
  })

  test('is not slow when it computes a little now and then', () => {
    const accounts = new ComputingAccounts()
    for (let nth = 0; nth < 100; nth++) expect(accounts.charge(turn(60), nth * 1000)).toEqual({})
  })

  test('goes to quarantine for one caller after turns of seconds, and for all after more of them', () => {
    const accounts = new ComputingAccounts()
    expect(accounts.charge(turn(4000), 0)).toEqual({ slowComponent: true })
    expect(accounts.charge(turn(4000), 4000)).toEqual({
      slowComponent: true,
      quarantinedKey: true,
    })
    expect(accounts.charge(turn(4000, { sender: 'bob' }), 8000)).toEqual({ slowComponent: true })
    const verdicts = ['c', 'd', 'e', 'f'].map((sender, nth) =>
      accounts.charge(turn(4000, { sender }), 12_000 + nth * 4000),
    )
    expect(verdicts.at(-1)).toMatchObject({ quarantinedComponent: true })
  })

  test('does not go to quarantine for turns that are short', () => {
    const accounts = new ComputingAccounts()
    for (let nth = 0; nth < 1000; nth++) {
      expect(accounts.charge(turn(900), nth * 900)).toEqual({ slowComponent: true })
    }
  })

  test('whose engine ended a guest twice in a minute goes to quarantine, however short its limit is', () => {
    const accounts = new ComputingAccounts()
    expect(accounts.exhausted('tool', 'ada', 0)).toEqual({ slowComponent: true })
    expect(accounts.exhausted('tool', 'ada', 60_000)).toEqual({
      slowComponent: true,
      quarantinedKey: true,
    })
  })
})

test('what a gateway computes is charged to its caller', () => {
  const accounts = new ComputingAccounts()
  const gateway = { component: 'mcp-gateway', isGateway: true }
  expect(accounts.charge(turn(5000, gateway), 0)).toEqual({ slowSender: true })
  expect(accounts.charge(turn(100, { ...gateway, sender: 'bob' }), 0)).toEqual({})
})
