import { say } from '../../texts/say'

export const contentTabs = (): [label: string, href: string][] => [
  [say('nav.content'), '/content'], [say('contents.desk'), '/content/desk'],
  [say('contents.calendar'), '/content/calendar'], [say('palette.briefs'), '/briefs']
]
