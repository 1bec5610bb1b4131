import { useLayoutEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { useResource } from '../../api/resource'
import { Combobox, findAmong } from '../../parts/combobox'
import { ScrollText, X } from '../../parts/icons'
import { MoreButton } from '../../parts/list'
import { LogView, type Line } from '../../parts/log-view'
import { Notice, ProblemNotice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { sayProblem } from '../../parts/problem-words'
import { PartialNotice } from '../../parts/sources'
import { Empty } from '../../parts/states'
import { useFilters } from '../../shell/location'
import { readRunning, type Found } from '../services/read-running'
import { Unread } from '../services/unread'
import { RangeFields, usual } from './range'
import { addSource, keyOf, mostSources, nameOf, removeSource, sourcesOf, type Source } from './source'
import { useLogs, type Read } from './use-logs'
import './logs.css'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

interface ChooserProps {
  /** What runs, which may still be read while a person types. */
  list: () => Promise<Found>
  chosen: readonly Source[]
  onAdd: (source: Source) => void
}

/** Adds one after the other: after each the field is empty again, and has the focus. */
const Chooser = ({ list, chosen, onAdd }: ChooserProps) => {
  const root = useRef<HTMLDivElement>(null)
  const isAdding = useRef(false)
  const keys = chosen.map(keyOf)
  useLayoutEffect(() => {
    if (isAdding.current) root.current?.querySelector('input')?.focus()
    isAdding.current = false
  }, [keys.length])
  const find = async (q: string) => findAmong<Source>((await list()).running
    .filter((each) => !keys.includes(keyOf(each)))
    .map((each) => ({ key: keyOf(each), label: each.name, detail: each.where.join(' · '), item: each })))(q)
  return (
    <div ref={root} class='log-chooser'>
      <Combobox<Source>
        key={keys.length} label={say('logs.add')} chosen='' find={find} onChoose={(source) => {
          if (!source) return
          isAdding.current = true
          onAdd(source)
        }}
      />
    </div>
  )
}

const pageOf = ({ kind, id }: Source): string =>
  `/${kind === 'service' ? 'services' : 'functions'}/${encodeURIComponent(id)}`

interface ChosenProps { sources: readonly Source[], onRemove: (source: Source) => void }

const Chosen = ({ sources, onRemove }: ChosenProps) => <ul class='plain row tight' aria-label={say('logs.chosen')}>
  {sources.map((source) => <li key={keyOf(source)} class='row tight fixed card chosen-source'>
    <Link href={pageOf(source)}>{nameOf(source)}</Link>
    <button
      type='button' class='quiet icon' aria-label={say('common.removeOne', { name: nameOf(source) })}
      onClick={() => onRemove(source)}
    ><X size={16} aria-hidden='true' />
    </button>
  </li>)}
</ul>

/** @returns the lines of all sources, oldest first, each with whose it is where there are several */
const linesOf = (reads: readonly Read[]): Line[] => reads
  .flatMap(({ source, lines }) => lines.map((line): Line => ({
    key: `${keyOf(source)} ${line.id}`,
    at: line.timestamp,
    tag: reads.length > 1 ? [nameOf(source), line.container].filter(Boolean).join('/') : line.container,
    text: line.message.trimEnd()
  })))
  .sort((a, b) => a.at < b.at ? -1 : Number(a.at > b.at))

/** Whose lines are missing, and why: a log that could not be read is not an empty one. */
const Missing = ({ of: { source, problem, silent, notes }, retry }: { of: Read, retry: () => void }) => <>
  {problem && <Notice
    tone='bad' action={<button class='small' type='button' onClick={retry}>{say('problem.again')}</button>}
  >
    <strong>{say('logs.unread', { name: nameOf(source) })}</strong>
    <div class='small'>{sayProblem(problem)}</div>
  </Notice>}
  {silent.map(({ group, container, detail, status }) => <Notice key={`${group} ${container ?? ''}`} tone='warn'>
    <strong>{say('logs.unread', { name: [nameOf(source), container].filter(Boolean).join('/') })}</strong>
    <div class='small'>{[group, translate('services', detail ?? status)].filter(Boolean).join(': ')}</div>
  </Notice>)}
  {notes.map((note) => <Notice key={note}>{nameOf(source)}: {translate('services', note)}</Notice>)}
</>

const isIncomplete = ({ problem, silent }: Read): boolean => problem !== undefined || silent.length > 0

interface ShownProps { sources: readonly Source[], since: string, until: string, filter: string, isLive: boolean }

const Shown = ({ sources, ...wanted }: ShownProps) => {
  const { reads, readOlder, retry } = useLogs(sources, wanted)
  const isRead = reads.every((read) => read.isRead || read.problem !== undefined)
  const state = !isRead ? 'connecting' : wanted.isLive ? 'live' : 'ended'
  return (
    <section class='stack' aria-label={say('nav.logs')}>
      {reads.map((read) => <Missing key={keyOf(read.source)} of={read} retry={retry} />)}
      <LogView
        lines={linesOf(reads)} state={state} problem={undefined} label={say('logs.lines')}
        empty={reads.some(isIncomplete) ? say('logs.unknown') : isRead ? say('service.logs.none') : undefined}
      />
      {reads.some(({ older }) => older !== null) && <>
        <p class='small muted'>{say('service.logs.older')}</p><MoreButton more={readOlder} />
      </>}
    </section>
  )
}

/** The logs of one or several services and functions; the address holds the choice. */
export default function LogsPage () {
  const cells = useFilters(['services', 'functions', 'since', 'until', 'filter', 'live'])
  const { since, until, filter, live } = cells
  const sources = sourcesOf(cells)
  const list = useRef<Promise<Found>>()
  const found = useResource([], (signal) => {
    const reading = readRunning(signal)
    list.current = reading
    return reading
  })
  const isLive = until.value === '' && live.value !== 'off'
  return (
    <div class='page'>
      <PageHead title={say('nav.logs')} guide='web-client'>{say('logs.words')}</PageHead>
      {sources.length < mostSources && <Chooser
        list={() => list.current ?? readRunning(new AbortController().signal)} chosen={sources}
        onAdd={(source) => addSource(cells, source)}
      />}
      {sources.length > 0 && <Chosen sources={sources} onRemove={(source) => removeSource(cells, source)} />}
      <div class='filters log-filters'>
        <RangeFields since={since} until={until} />
        <label class='field'><span>{say('service.logs.only')}</span>
          <input
            type='search' placeholder='ERROR' value={filter.value}
            onChange={(event) => { filter.value = event.currentTarget.value.trim() }}
          />
        </label>
        <label class='check'>
          <input
            type='checkbox' checked={isLive} disabled={until.value !== ''}
            onChange={({ currentTarget }) => { live.value = currentTarget.checked ? '' : 'off' }}
          />{say('logs.live')}
        </label>
      </div>
      {found.problem && <ProblemNotice problem={found.problem} retry={found.reload} />}
      <Unread of={found} />
      <PartialNotice of={found.data} />
      {sources.length === 0
        ? <div class='card'>
          <Empty icon={ScrollText} title={say('logs.none')}><p>{say('logs.none.words')}</p></Empty>
        </div>
        : <Shown
            sources={sources} since={since.value === '' ? usual : since.value} until={until.value} filter={filter.value}
            isLive={isLive}
        />}
    </div>
  )
}
