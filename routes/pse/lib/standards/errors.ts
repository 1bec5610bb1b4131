import { defineError } from '../../../../schemas/errors.js'

export const KeyTaken = defineError('key_taken', 'Another standard has this key', 409)
export const BuiltinStandard = defineError('builtin_standard',
  'The standard comes with Steward; clone it and change the clone', 403)
export const StandardArchived = defineError('standard_archived',
  'The standard is archived; send its status as active to bring it back', 409)
export const StandardIdRequired = defineError('standard_id_required', 'Say which standard is meant', 400)
export const StandardIdConflict = defineError('standard_id_conflict', 'The request names two standards', 400)
export const RuleInvalid = defineError('rule_invalid', 'The standard cannot be used as it is', 422)
export const ReadOnlyField = defineError('read_only_field', 'This field cannot be changed', 422)
export const StandardUnknown = defineError('standard_unknown', 'There is no such standard or version', 422)
