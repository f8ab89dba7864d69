// A template for French registers.

/** As the handbook of France has it: the entry of the unit names no package. */
export const HANDBOOK = `{ "ftCashBoxId": "|[cashbox_id]|",
  "ftSignaturCreationDevices": [
    { "Id": "|[scu0_id]|", "Siret": "|[siret]|", "CompanyName": "|[company_name]|",
      "CountryCode": "FR" } ],
  "ftQueues": [ { "Id": "|[queue0_id]|", "Package": "fiskaltrust.service.sqlite",
    "Configuration": { "init_ftQueueFR": [
      { "ftQueueFRId": "|[queue0_id]|", "ftSignaturCreationUnitFRId": "|[scu0_id]|",
        "Siret": "|[siret]|" } ] } } ] }`
