/** What the arguments of tools for what runs are, where their schemas leave it to the name. */
export const infrastructureFields: Readonly<Record<string, string>> = {
  deployment_id: 'The id of a deployment, as listServiceDeployments gives it',
  images: 'The new image of each container, for services with several',
  container: 'The name of the container',
  rollback: 'Whether a deployment that fails goes back by itself',
  comment: 'Why, for the record',
  'scaleService.autoscaling': 'What to do when autoscaling manages the count and it is outside its range: refuse, ' +
    'suspend autoscaling, adjust its bounds so that the count fits, or ignore it'
}
