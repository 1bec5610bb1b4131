import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { Badge } from '../../parts/badge'
import { anchorOf } from './citations'
import { useSource } from './source'
import { say } from '../../texts/say'

/** The sentences that something stands on, each with its document and section, and a link to it there. */
export const Citations = ({ session, of }: { session: string, of: Schemas['Citation'][] }) => {
  const source = useSource()
  if (of.length === 0) return <p class='small muted'>{say('spec.cites.none')}</p>
  return (
<ul class='plain stack tight'>{of.map((citation) => <li key={`${citation.chunk_id}${citation.char_start}`}>
    <blockquote class='cited small'>
      <Link href={`/specs/${session}/inputs/${citation.input_id}/${anchorOf(citation)}`}>
        <span class='unseen'>{say('spec.inInput')} </span><mark>{citation.quote}</mark>
      </Link> {source.canShow && <button type='button' class='quiet small' onClick={() => { source.show(citation.input_id, citation) }}>
        {say('spec.source.show')}
      </button>} {citation.match === 'fuzzy' && <Badge tone='warn'>{say('spec.fuzzy')}</Badge>}
      {citation.location && <footer class='muted'>{citation.location}</footer>}
    </blockquote>
</li>)}
</ul>
  )
}
