import { concatMap, delay, from, lastValueFrom, map, of, toArray } from 'rxjs'

export default () =>
  lastValueFrom(
    from([3, 1, 2]).pipe(
      concatMap((number) => of(number).pipe(delay(number))),
      map((number) => number * 10),
      toArray(),
    ),
  )
