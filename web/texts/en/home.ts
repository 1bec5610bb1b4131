/** What needs a person */
export const home = {
  'home.words': 'What needs you now.',
  'home.approvals': 'Approvals',
  'home.approvals.none': 'Nothing waits for you.',
  'home.services': 'Unhealthy services',
  'home.services.none': 'All services are healthy.',
  'home.partial': 'Some accounts or regions did not answer: there may be some.',
  'home.builds': 'Failed builds',
  'home.builds.none': 'No app failed its last build.',
  'home.build': 'Build #{number} failed',
  'home.reports': 'Reports',
  'home.reports.none': 'No open reports.',
  'home.all': 'Show all {count}'
} as const
