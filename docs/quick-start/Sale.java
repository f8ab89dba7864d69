// A sale, signed and handed over: java Sale.java. No package, Java 11 or newer.
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.regex.Pattern;

public class Sale {
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Sends a call until it is answered. The same id every time: it is executed once. */
  static String call(String path, String body) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("FISKALWERK_URL") + "/v2" + path))
        .timeout(Duration.ofSeconds(60))
        .header("content-type", "application/json")
        .header("x-cashbox-id", System.getenv("CASHBOX_ID"))
        .header("x-cashbox-accesstoken", System.getenv("ACCESS_TOKEN"))
        .header("x-possystem-id", "quick-start")
        .header("x-operation-id", UUID.randomUUID().toString())
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    for (int tries = 1; ; tries++) {
      try {
        var answer = CLIENT.send(request, BodyHandlers.ofString());
        if (answer.statusCode() < 300) return answer.body();
        if (answer.statusCode() != 503 || tries == 5) throw new IllegalStateException(answer.body());
      } catch (IOException lost) {
        if (tries == 5) throw lost;
      }
      Thread.sleep(200L * tries);
    }
  }

  /** A text member; a program of yours has a library for JSON. */
  static String member(String json, String name) {
    var found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
    if (!found.find()) throw new IllegalStateException(name + " is not in " + json);
    return found.group(1);
  }

  public static void main(String[] words) throws Exception {
    String rate = "DE".equals(System.getenv("MARKET")) ? "19" : "20";
    String request = "{\"cbReceiptReference\":\"quick-" + UUID.randomUUID() + "\","
        + "\"cbReceiptMoment\":\"" + Instant.now().truncatedTo(ChronoUnit.MILLIS) + "\","
        + "\"cbChargeItems\":[{\"Quantity\":2,\"Description\":\"Coffee\",\"Amount\":7.60,\"VATRate\":" + rate + "}],"
        + "\"cbPayItems\":[{\"Description\":\"Cash\",\"Amount\":7.60}]}";
    String response = call("/sign", request);
    String issued = call("/issue",
        "{\"ReceiptRequest\":" + request + ",\"ReceiptResponse\":" + response + "}");
    System.out.println(member(response, "ftReceiptIdentification"));
    System.out.println(member(issued, "DocumentURL"));
  }
}
