import { delay, from, lastValueFrom, map, mergeMap, of, toArray } from 'rxjs'

export default () =>
  lastValueFrom(
    from([3, 1, 2]).pipe(
      mergeMap((number) => of(number).pipe(delay(number * 2))),
      map((number) => number * 10),
      toArray(),
    ),
  )
