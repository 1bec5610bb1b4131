import type { StandardListRow, StandardRow, VersionRow } from '../../../../db/pse/standards.js'
import type { Standard, StandardSummary } from '../../../../schemas/pse/standards.js'
import { isBuiltin } from './builtin.js'

const known = ({ id, ...row }: StandardRow) =>
  ({ standard_id: id, ...row, source: isBuiltin(id) ? 'builtin' as const : 'user' as const })

export const describeStandard = (row: StandardRow, { version, content }: VersionRow): Standard =>
  ({ ...known(row), ...content, version })

export const describeListed = ({ brief, rule_count, ...row }: StandardListRow): StandardSummary =>
  ({ ...known(row), ...brief, rule_count })
