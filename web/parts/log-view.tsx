import { useEffect, useRef } from 'preact/hooks'
import { Badge } from './badge'
import { LogEntries, ZoneSwitch, type Line } from './log-lines'
import { ProblemNotice } from './notice'
import type { Live } from '../api/live'
import type { Problem } from '../api/problem'
import { say } from '../texts/say'
import './log-view.css'

export type { Line } from './log-lines'

interface Props {
  lines: Line[]
  state: Live<{ type: string }>['state']
  problem: Problem | undefined
  retry?: () => void
  label: string
  /** What stands for no lines. */
  empty?: string | undefined
}

const words = {
  connecting: 'log.connecting', live: 'log.live', again: 'log.again', ended: 'log.complete'
} as const

/** Live log lines. The view stays at the end unless the reader has scrolled up. */
export const LogView = ({ lines, state, problem, retry, label, empty }: Props) => {
  const element = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  useEffect(() => { if (atEnd.current) element.current?.scrollTo({ top: element.current.scrollHeight }) }, [lines])
  const onScroll = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = element.current ?? {}
    atEnd.current = scrollHeight - scrollTop - clientHeight < 40
  }
  return (
    <div class='stack tight'>
      <div class='row spread small muted'>
        <span>{say('log.lines', { count: lines.length })}</span>
        <span class='row tight'><ZoneSwitch />
          <Badge tone={state === 'live' ? 'info' : 'plain'}>
            {say(state === 'ended' && problem ? 'log.stopped' : words[state])}
          </Badge>
        </span>
      </div>
      {problem && <ProblemNotice problem={problem} {...(state === 'ended' && retry && { retry })} />}
      <div class='log' ref={element} onScroll={onScroll} tabIndex={0} role='log' aria-label={label}>
        {lines.length === 0
          ? <p class='muted'>{empty ?? say(state === 'ended' ? 'log.nothing' : 'log.waiting')}</p>
          : <LogEntries lines={lines} />}
      </div>
    </div>
  )
}
