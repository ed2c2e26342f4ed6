import pLimit from 'p-limit'

export default async () => {
  const limit = pLimit(2)
  let running = 0
  let most = 0
  const work = async (number) => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 2))
    running--
    return number * 2
  }
  return [await Promise.all([1, 2, 3, 4].map((number) => limit(work, number))), most]
}
