interface Node { id: string, depends_on: readonly string[] }

/** @returns a path for every cycle that a walk meets, its first id again at the end; linear, without recursion */
export const cyclesOf = (items: readonly Node[]): string[][] => {
  const nodes = new Map(items.map((item) => [item.id, item]))
  const state = new Map<string, 'open' | 'done'>()
  const cycles: string[][] = []
  const walk = (start: string): void => {
    const path: { id: string, next: number }[] = [{ id: start, next: 0 }]
    state.set(start, 'open')
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const to = nodes.get(top.id)?.depends_on[top.next++]
      if (to === undefined) {
        state.set(top.id, 'done')
        path.pop()
      } else if (state.get(to) === 'open') {
        cycles.push([...path.slice(path.findIndex(({ id }) => id === to)).map(({ id }) => id), to])
      } else if (nodes.has(to) && !state.has(to)) {
        state.set(to, 'open')
        path.push({ id: to, next: 0 })
      }
    }
  }
  for (const { id } of items) if (!state.has(id)) walk(id)
  return cycles
}
