import type { Schemas } from '../api/client'
import { Notice } from './notice'
import { sayProblem, toProblem } from './problem-words'
import { say } from '../texts/say'

interface Listed { partial: boolean, errors: Schemas['SourceError'][] }

/** Lists the accounts and regions that did not answer, so that an incomplete list does not look complete. */
export const PartialNotice = ({ of }: { of: Listed | undefined }) => !of?.partial
  ? null
  : <Notice tone='warn'>
    <strong>{say('sources.partial')}</strong>
    <ul>{of.errors.map((error, index) => <li key={index}>
      {[error.region, sayProblem(toProblem(error))].filter(Boolean).join(': ')}
    </li>)}
    </ul>
  </Notice>
