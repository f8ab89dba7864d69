// Templates that the contract test executes: a till, and an instance that only signs.

/** One unit and one Queue; variables take ids from the query. */
export const TILL = JSON.stringify({
  ftCashBoxId: '|[cashbox_id]|',
  ftSignaturCreationDevices: [
    {
      Id: '|[scu0_id]|',
      Package: 'fiskaltrust.Middleware.SCU.DE.CryptoVision',
      Url: ['grpc://localhost:10081'],
      Configuration: { devicePath: 'E:' },
    },
  ],
  ftQueues: [
    {
      Id: '|[queue0_id]|',
      Package: 'fiskaltrust.Middleware.Queue.SQLite',
      Url: ['rest://localhost:1500/|[queue0_id]|'],
      Configuration: {
        init_ftQueue: [
          { ftQueueId: '|[queue0_id]|', ftCashBoxId: '|[cashbox_id]|', CountryCode: 'DE' },
        ],
        init_ftQueueDE: [
          {
            ftQueueDEId: '|[queue0_id]|',
            CashBoxIdentification: '|[queue0_id_base64withoutspecialchars]|',
            ftSignaturCreationUnitDEId: '|[scu0_id]|',
          },
        ],
        init_ftSignaturCreationUnitDE: [
          { ftSignaturCreationUnitDEId: '|[scu0_id]|', Url: '["grpc://localhost:10081"]' },
        ],
      },
    },
  ],
  helpers: [{ Id: '|[helper0_id]|', Package: 'fiskaltrust.service.helper.posapi', Url: [] }],
})

/** RKSV.Sign */
export const SIGNING_ONLY = JSON.stringify({
  ftCashBoxId: '|[cashbox_id]|',
  ftSignaturCreationDevices: [
    {
      Id: '|[scu0_id]|',
      Package: 'fiskaltrust.RKSVSign',
      Url: [],
      Configuration: {
        ProductNumber: '4154+020301',
        CompanyName: 'Laden',
        CompanyEmail: 'a@example.com',
        VatId: 'ATU68541544',
      },
    },
  ],
  ftQueues: [],
})
