import { useEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { Copied } from '../../parts/copied'
import { formatInZone, setUp } from './words'
import { say, sayWith } from '../../texts/say'

interface Props { made: Schemas['NewTrigger'], onClose: () => void }

/** What was made just now; a secret is shown this once. */
export const Made = ({ made, onClose }: Props) => {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [made.id])
  return (
    <section class='card stack' aria-label={say('trigger.made', { name: made.name })} tabIndex={-1} ref={section}>
      <h2>{sayWith('trigger.made', { name: <Link href={`/triggers/${made.id}`}>{made.name}</Link> })}</h2>
      {made.next_at && <p>{say('trigger.runsNext', {
        time: formatInZone(made.next_at, made.time_zone), zone: made.time_zone ?? 'UTC'
      })}
      </p>}
      {made.events_url && <Copied label={say('trigger.events')} text={made.events_url} />}
      {made.secret && <>
        <Copied label={say('trigger.secret')} text={made.secret} />
        <p><strong>{say('trigger.secretOnce')}</strong></p>
      </>}
      {made.source && <p class='small muted'>{say(setUp[made.source])}</p>}
      <div class='actions'><button type='button' onClick={onClose}>{say('trigger.done')}</button></div>
    </section>
  )
}
