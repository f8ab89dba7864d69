// What the members of the Dealer API mean, by their name: the document tells it wherever a schema
// says nothing more precise.
export const memberMeanings: Readonly<Record<string, string>> = {
  id: 'Id of the thing itself.',
}
