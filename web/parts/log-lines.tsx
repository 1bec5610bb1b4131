import { Badge } from './badge'
import { levelOf, type Level } from './log-level'
import { formatLogTime, logZone, ownZone, switchZone } from './zone'
import { say } from '../texts/say'
import './log-view.css'

export interface Line { key: string, at: string, tag: string | null, text: string, bad?: boolean }

const tones = { error: 'bad', warn: 'warn', info: 'info', debug: 'plain' } as const

const classOf = (line: Line, level: Level | undefined): string =>
  `log-line ${line.bad || level === 'error' ? 'bad' : level ?? ''}`

const Entry = ({ line }: { line: Line }) => {
  const level = levelOf(line.text)
  const { time, exact } = formatLogTime(line.at, logZone.value)
  return (
    <div class={classOf(line, level)}>
      <time dateTime={line.at} title={exact}>{time}</time>
      {line.tag && <span class='log-tag'>{line.tag}</span>}
      {level && level !== 'info' && <span class='log-level'><Badge tone={tones[level]}>{level}</Badge></span>}
      <span class='grow'>{line.text}</span>
    </div>
  )
}

/** In which zone the times are, and a switch to the other. */
export const ZoneSwitch = () => <button
  type='button' class='quiet small' title={say('log.zone')} onClick={switchZone}
>
  {say('log.timesIn', { zone: logZone.value === 'utc' ? 'UTC' : ownZone })}
</button>

export const LogEntries = ({ lines }: { lines: readonly Line[] }) =>
  <>{lines.map((line) => <Entry key={line.key} line={line} />)}</>

interface Props { lines: readonly Line[], label: string, empty: string }

/** Lines of a log that has been read. */
export const LogLines = ({ lines, label, empty }: Props) => <div class='stack tight'>
  <div class='row spread small muted'>
    <span>{say('log.lines', { count: lines.length })}</span><ZoneSwitch />
  </div>
  <div class='log' tabIndex={0} role='region' aria-label={label}>
    {lines.length === 0 ? <p class='muted'>{empty}</p> : <LogEntries lines={lines} />}
  </div>
</div>
