import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Bench } from './bench.js'
import { killAll } from './lib/child.js'
import { Databases } from './lib/databases.js'
import { describeRun } from './lib/machine.js'
import { pick, readOptions } from './lib/options.js'
import { table } from './lib/table.js'
import { scenarios } from './scenarios/index.js'
import type { Aim, Report, Scenario } from './scenarios/scenario.js'
import { targets } from './targets/index.js'

const print = (text: string) => process.stdout.write(`${text}\n\n`)

const printReport = ({ key, title }: Scenario, { columns, rows, notes }: Report) => {
  print(`## ${key}: ${title}`)
  if (rows.length > 0) print(table(columns, rows))
  if (notes.length > 0) print(notes.map((note) => `- ${note}`).join('\n'))
}

const printAims = (aims: Aim[]) => {
  if (aims.length === 0) return
  print('## Aims')
  print(table(['aim', 'limit', 'measured', 'met'],
    aims.map(({ what, limit, measured, met }) => [what, limit, measured, met ? 'yes' : 'NO'])))
}

const runAll = async (bench: Bench, chosen: Scenario[]) => {
  const aims: Aim[] = []
  for (const scenario of chosen) {
    const report = await scenario.run(bench)
    printReport(scenario, report)
    for (const profile of bench.profiles.splice(0)) print(profile)
    aims.push(...report.aims)
  }
  printAims(aims)
}

const plan = (args: string[]) => {
  try {
    const options = readOptions(args)
    const chosen = pick(scenarios, options.only, 'scenario')
      .filter(({ onlyWhenNamed }) => !onlyWhenNamed || options.only.length > 0)
    return { options, wanted: pick(targets, options.targets, 'target'), chosen }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(2)
  }
}

const main = async ({ options, wanted, chosen }: ReturnType<typeof plan>) => {
  const databases = await Databases.connect()
  const usable = wanted.filter((target) => databases || !target.needsPostgres)
  print(`# Benchmark\n\n${describeRun(databases?.version)}`)
  const skipped = wanted.filter((target) => !usable.includes(target))
  for (const { label } of skipped) print(`Skipped, no PostgreSQL: ${label}`)
  const folder = mkdtempSync(join(tmpdir(), 'steward-bench-'))
  const bench = await Bench.start(folder, options, usable, databases)
  const clear = () => { killAll(); rmSync(folder, { recursive: true, force: true }) }
  process.once('exit', clear)
  const leave = () => process.exit(130)
  const interrupt = () => { killAll(); bench.close().then(leave, leave) }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try { await runAll(bench, chosen) } finally { await bench.close() }
}

await main(plan(process.argv.slice(2)))
