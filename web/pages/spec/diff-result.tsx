import type { Schemas } from '../../api/client'
import type { ViewProps } from '../../results/operation'
import { Difference } from './difference'

/** What a version of a spec changed. */
export default function SpecDiffResult ({ result }: ViewProps<Schemas['SpecDiff']>) {
  return <div class='stack tight'><Difference diff={result} /></div>
}
