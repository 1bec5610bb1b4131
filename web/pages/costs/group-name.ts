import { say } from '../../texts/say'

/** @returns a group as people read it: AWS names neither what has no tag nor what belongs to nothing */
export const groupName = (name: string): string => {
  if (name === '') return say('cost.other')
  return name === '(untagged)' ? say('cost.untagged') : name
}
