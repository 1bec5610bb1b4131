import type { Schemas } from '../../api/client'
import { Badge } from '../../parts/badge'
import './spec.css'

type Requirement = Schemas['Requirement']

const Citations = ({ of }: { of: Schemas['Citation'][] }) => of.length === 0
  ? <p class='small muted'>Cites nothing.</p>
  : <ul class='plain stack tight'>{of.map((citation) => <li key={`${citation.chunk_id}${citation.char_start}`}>
    <blockquote class='cited small'><mark>{citation.quote}</mark></blockquote>
  </li>)}
  </ul>

const Item = ({ requirement }: { requirement: Requirement }) => <article class='card stack tight'>
  <div class='row tight'>
    <code>{requirement.id}</code><h3 class='grow'>{requirement.title}</h3>
    <Badge>{requirement.level}</Badge><Badge>{requirement.priority}</Badge>
    {requirement.human_edited && <Badge tone='info'>edited</Badge>}
  </div>
  <p>{requirement.statement}</p>
  <Citations of={requirement.citations} />
</article>

/** What the spec demands, each with the words of the inputs that it comes from. */
export const Requirements = ({ document }: { document: Schemas['SpecDocument'] }) => <div class='stack'>
  {document.summary && <p>{document.summary}</p>}
  {document.open_questions.length > 0 && <section class='card stack tight'>
    <h2>Open questions</h2>
    <ul>{document.open_questions.map((question) => <li key={question.id}>{question.question}</li>)}</ul>
  </section>}
  {document.requirements.map((requirement) => <Item key={requirement.id} requirement={requirement} />)}
</div>
