// A sale, signed and handed over: a console program of .NET 8 or newer, no package.
using System;
using System.Net;
using System.Net.Http;
using System.Text;
using System.Text.Json.Nodes;
using System.Threading.Tasks;

static class Sale
{
    static readonly HttpClient Client = new HttpClient { Timeout = TimeSpan.FromSeconds(60) };

    static string Setting(string name) => Environment.GetEnvironmentVariable(name) ?? "";

    // Sends a call until it is answered. The same id every time: it is executed once.
    static async Task<JsonNode> Call(string path, JsonNode body)
    {
        var operation = Guid.NewGuid().ToString();
        var text = body.ToJsonString();
        for (var tries = 1; ; tries++)
        {
            var address = Setting("FISKALWERK_URL") + "/v2" + path;
            using (var request = new HttpRequestMessage(HttpMethod.Post, address))
            {
                request.Content = new StringContent(text, Encoding.UTF8, "application/json");
                request.Headers.Add("x-cashbox-id", Setting("CASHBOX_ID"));
                request.Headers.Add("x-cashbox-accesstoken", Setting("ACCESS_TOKEN"));
                request.Headers.Add("x-possystem-id", "quick-start");
                request.Headers.Add("x-operation-id", operation);
                try
                {
                    using (var answer = await Client.SendAsync(request))
                    {
                        var read = await answer.Content.ReadAsStringAsync();
                        // nodes keep numbers as they are written: 64 bits, and 7.60 stays 7.60
                        var node = answer.IsSuccessStatusCode ? JsonNode.Parse(read) : null;
                        if (node != null) return node;
                        if (answer.StatusCode != HttpStatusCode.ServiceUnavailable)
                            throw new InvalidOperationException(read);
                    }
                }
                catch (Exception lost) when (lost is HttpRequestException || lost is TaskCanceledException)
                {
                    // the answer was lost on its way: once more, under the same id
                    if (tries == 5) throw;
                }
            }
            if (tries == 5) throw new InvalidOperationException("no answer has arrived");
            await Task.Delay(200 * tries);
        }
    }

    static void Main() => Sell().GetAwaiter().GetResult();

    static async Task Sell()
    {
        var sale = new JsonObject
        {
            ["cbReceiptReference"] = $"quick-{Guid.NewGuid()}",
            ["cbReceiptMoment"] = DateTime.UtcNow.ToString("yyyy-MM-ddTHH:mm:ss.fffZ"),
            ["cbChargeItems"] = new JsonArray(new JsonObject
            {
                ["Quantity"] = 2,
                ["Description"] = "Coffee",
                ["Amount"] = 7.60m,
                ["VATRate"] = Setting("MARKET") == "DE" ? 19 : 20,
            }),
            ["cbPayItems"] = new JsonArray(new JsonObject { ["Description"] = "Cash", ["Amount"] = 7.60m }),
        };
        var response = await Call("/sign", sale);
        var pair = new JsonObject
        {
            ["ReceiptRequest"] = sale.DeepClone(),
            ["ReceiptResponse"] = response.DeepClone(),
        };
        var issued = await Call("/issue", pair);
        Console.WriteLine(response["ftReceiptIdentification"]);
        Console.WriteLine(issued["DocumentURL"]);
    }
}
