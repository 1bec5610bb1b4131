import { useEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { Copied } from '../../parts/copied'
import { formatInZone, setUp } from './words'

interface Props { made: Schemas['NewTrigger'], onClose: () => void }

/** What was made just now; a secret is shown this once. */
export const Made = ({ made, onClose }: Props) => {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [made.id])
  return (
    <section class='card stack' aria-label={`${made.name} is made`} tabIndex={-1} ref={section}>
      <h2><Link href={`/triggers/${made.id}`}>{made.name}</Link> is made</h2>
      {made.next_at && <p>It runs next on {formatInZone(made.next_at, made.time_zone)}, {made.time_zone}.</p>}
      {made.events_url && <Copied label='Address for the events' text={made.events_url} />}
      {made.secret && <>
        <Copied label='Secret' text={made.secret} />
        <p><strong>Copy the secret now: it is not shown again.</strong></p>
      </>}
      {made.source && <p class='small muted'>{setUp[made.source]}</p>}
      <div class='actions'><button type='button' onClick={onClose}>Done</button></div>
    </section>
  )
}
