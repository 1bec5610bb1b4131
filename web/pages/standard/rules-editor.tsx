import { useRef } from 'preact/hooks'
import { useAction } from '../../api/action'
import type { Problem } from '../../api/problem'
import type { Cell } from '../../parts/cell'
import { AreaField } from '../../parts/form'
import { Plus } from '../../parts/icons'
import { ProblemNotice } from '../../parts/notice'
import { markChanged } from '../../parts/unsaved'
import { blankRule, type Rule } from './rule'
import { explainProblem } from '../../parts/problem-words'
import { RuleEditor } from './rule-editor'
import { entryOf, type Entry, type RuleList } from './rule-list'
import { say } from '../../texts/say'
import './standard.css'

/** What the server said of the rules that were sent. */
export interface Judged { rules: Rule[], problem: Problem | undefined }

/** @returns what is wrong with a rule that is still as it was sent */
const problemsOf = ({ rules, problem }: Judged, rule: Rule): string[] => {
  const pointer = `/rules/${rules.indexOf(rule)}/`
  const faults = problem ? explainProblem(problem).faults : []
  // Which rule it is, its card says.
  return faults.filter((fault) => fault.pointer.startsWith(pointer))
    .map(({ label, message }) => `${label.split(' › ').slice(2).join(' › ')}: ${message}`)
}

const Entries = ({ entries, judged }: { entries: Cell<Entry[]>, judged: Judged }) => {
  const add = useRef<HTMLButtonElement>(null)
  const remove = (gone: Entry, { currentTarget }: MouseEvent) => {
    markChanged(currentTarget)
    entries.value = entries.value.filter((one) => one.key !== gone.key)
    add.current?.focus()
  }
  const ruleOf = (entry: Entry): Cell<Rule> => ({
    get value () { return entries.value.find(({ key }) => key === entry.key)?.rule ?? entry.rule },
    set value (rule) { entries.value = entries.value.map((one) => one.key === entry.key ? { ...one, rule } : one) }
  })
  return (
    <>
      {entries.value.length === 0 && <p class='small muted'>{say('standard.rules.none')}</p>}
      {entries.value.map((entry) => <RuleEditor
        key={entry.key} rule={ruleOf(entry)} isNew={entry.isNew} problems={problemsOf(judged, entry.rule)}
        onRemove={(event) => { remove(entry, event) }}
      />)}
      <div>
        <button
          ref={add} type='button' class='small'
          onClick={() => { entries.value = [...entries.value, entryOf(blankRule(), true)] }}
        ><Plus size={14} aria-hidden='true' />{say('standard.rule.add')}
        </button>
      </div>
    </>
  )
}

/** The rules of a standard: a form for each, and the same as JSON. */
export const RulesEditor = ({ list, judged }: { list: RuleList, judged: Judged }) => {
  const { entries, text } = list
  const back = useAction(async () => { list.asForm() })
  const isText = text.value !== undefined
  const shown: Cell<string> = {
    get value () { return text.value ?? '' },
    set value (next) {
      text.value = next
      back.clear()
    }
  }
  const change = () => {
    if (isText) void back.run()
    else list.asJson()
  }
  return (
    <section class='stack tight' aria-label={say('standard.rules')}>
      <div class='row'>
        <h2 class='grow'>{say('standard.rules')}</h2>
        <button type='button' class='small' onClick={change}>
          {say(isText ? 'standard.rules.asForm' : 'standard.rules.asJson')}
        </button>
      </div>
      {isText
        ? <AreaField
            label={say('standard.rules.json')} class='mono' value={shown} rows={14} spellcheck={false}
        />
        : <Entries entries={entries} judged={judged} />}
      {back.problem && <ProblemNotice problem={back.problem} />}
    </section>
  )
}
