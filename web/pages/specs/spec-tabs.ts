import { say } from '../../texts/say'

export const specTabs = (): [label: string, href: string][] =>
  [[say('nav.specs'), '/specs'], [say('palette.standards'), '/standards']]
