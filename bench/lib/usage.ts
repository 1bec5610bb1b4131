import { readFile } from 'node:fs/promises'

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_MS = 10

/** User and system time of a process, all its threads, in ms; NaN where there is no /proc. */
export const cpuMs = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name, in brackets, may hold spaces: the fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? NaN) + Number(fields[12] ?? NaN)) * TICK_MS
}

/** Resident memory in KiB; NaN where there is no /proc. */
export const rssKib = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN)
}

/** What several processes used between two looks; one that appeared in between counts from its start. */
export const cpuOf = async (pids: number[]): Promise<Map<number, number>> =>
  new Map(await Promise.all(pids.map(async (pid) => [pid, await cpuMs(pid)] as const)))

export const growth = (before: Map<number, number>, after: Map<number, number>): number =>
  [...after].reduce((sum, [pid, used]) => sum + used - (before.get(pid) ?? 0), 0)
