import { ArrowRight } from 'lucide-preact'
import type { Schemas } from '../api/client'

const Side = ({ text, what }: { text: string | null, what: string }) => <td class={what}>
  {text === null ? <span class='muted'>–</span> : text}
</td>

/** What will change, before and after, as the server's code says it from the live state. */
export const Preview = ({ rows }: { rows: Schemas['PreviewRow'][] }) => rows.length === 0
  ? null
  : <div class='table preview' tabIndex={0}>
    <table>
      <thead><tr><th scope='col'>Change</th><th scope='col'>Before</th><th><span class='unseen'>to</span></th>
        <th scope='col'>After</th>
      </tr>
      </thead>
      <tbody>{rows.map(({ label, before, after }) => <tr key={label}>
        <th scope='row'>{label}</th>
        <Side text={before} what='before' />
        <td class='arrow'><ArrowRight size={14} aria-label='to' /></td>
        <Side text={after} what='after' />
      </tr>)}
      </tbody>
    </table>
  </div>
