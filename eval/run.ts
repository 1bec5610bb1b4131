import { writeFileSync } from 'node:fs'
import { emptyTalk } from './lib/converse.js'
import { attempt, prepare, type Verdict } from './lib/judge.js'
import { pickTasks, readOptions, type Options } from './lib/options.js'
import { record } from './lib/record.js'
import { startReplay, type Replay } from './lib/replay.js'
import { allPassed, describeAreas, describeFailures, describeTasks, type Result } from './lib/report.js'
import { readTranscript, writeTranscript } from './lib/transcript.js'
import { startWorld } from './lib/world.js'
import type { Task } from './task.js'
import { tasks } from './tasks/index.js'

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

const print = (text: string) => process.stdout.write(`${text}\n\n`)

/** The settings of the model, as Steward reads them. */
const settings = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL', 'MODEL_PRICES']

const modelEnvironment = (): Record<string, string> => Object.fromEntries(settings.flatMap((name) => {
  const value = process.env[name]
  return value ? [[name, value] as const] : []
}))

/** One try in a world of its own: earlier ones have left nothing there. */
const runOnce = async (task: Task, replay: Replay | undefined, { record: folder, replay: transcripts }: Options):
Promise<Verdict> => {
  const world = await startWorld(replay?.environment ?? modelEnvironment())
  try {
    const prepared = await prepare(world, task)
    replay?.play(readTranscript(task.id, transcripts)?.turns ?? [])
    const verdict = await attempt(world, task, prepared)
    if (folder && verdict.talk.session) {
      const { ANTHROPIC_MODEL: model, ANTHROPIC_BASE_URL: url } = world.app.config
      const source = url === undefined ? model : `${model} at ${new URL(url).host}`
      writeTranscript(await record(world, verdict.talk.session, task.id, source), folder)
    }
    return { ...verdict, problems: [...replay?.problems() ?? [], ...verdict.problems] }
  } catch (error) {
    return { talk: emptyTalk(), problems: [`the task could not be tried: ${(error as Error).message}`] }
  } finally {
    await world.close()
  }
}

const runAll = async (chosen: Task[], rounds: number, replay: Replay | undefined, options: Options) => {
  const results: Result[] = []
  for (const task of chosen) {
    const result: Result = { id: task.id, area: task.area, rounds: [] }
    for (let round = 0; round < rounds; round++) result.rounds.push(await runOnce(task, replay, options))
    results.push(result)
    const problems = result.rounds.flatMap((verdict) => verdict.problems)
    process.stderr.write(`${[task.id, ...problems].join('\n  ')}\n`)
  }
  return results
}

const replayed = '**No model was judged.** Transcripts were replayed, so this judges the tasks, the product and the ' +
  'harness. Tokens and costs are those that the sandbox counts. Set ANTHROPIC_API_KEY to judge a model.'

const plan = (args: string[]) => {
  try {
    const options = readOptions(args)
    const judged = modelEnvironment().ANTHROPIC_API_KEY !== undefined && options.replay === undefined
    if (options.record && !judged) throw new Error('--record needs ANTHROPIC_API_KEY, and not --replay')
    return { options, judged, chosen: pickTasks(tasks, options.only), rounds: options.rounds ?? (judged ? 3 : 1) }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(2)
  }
}

const main = async ({ options, judged, chosen, rounds }: ReturnType<typeof plan>) => {
  const replay = judged ? undefined : await startReplay()
  print(`# Evals\n\n${judged ? `Each task ${rounds} times against the model that the environment names.` : replayed}`)
  const results = await runAll(chosen, rounds, replay, options)
  await replay?.close()
  print(describeTasks(results, rounds))
  print(describeAreas(results, rounds))
  if (!allPassed(results)) print(`## Failed\n\n${describeFailures(results)}`)
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ judged, rounds, results }, null, 2)}\n`)
  process.exitCode = allPassed(results) ? 0 : 1
}

await main(plan(process.argv.slice(2)))
