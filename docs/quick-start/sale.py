# A sale, signed and handed over: python3 sale.py. No package, Python 3.8 or newer.
import datetime
import json
import os
import time
import urllib.error
import urllib.request
import uuid


def call(path, body):
    """Sends a call until it is answered. The same id every time: it is executed once."""
    headers = {
        "content-type": "application/json",
        "x-cashbox-id": os.environ["CASHBOX_ID"],
        "x-cashbox-accesstoken": os.environ["ACCESS_TOKEN"],
        "x-possystem-id": "quick-start",
        "x-operation-id": str(uuid.uuid4()),
    }
    url = os.environ["FISKALWERK_URL"] + "/v2" + path
    for tries in range(1, 6):
        request = urllib.request.Request(url, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)  # integers of Python keep all 64 bits
        except urllib.error.HTTPError as refused:
            if refused.code != 503 or tries == 5:
                raise SystemExit(refused.read().decode()) from None
        except OSError:  # the answer was lost on its way
            if tries == 5:
                raise
        time.sleep(0.2 * tries)


rate = 19 if os.environ.get("MARKET") == "DE" else 20
sale = {
    "cbReceiptReference": f"quick-{uuid.uuid4()}",
    "cbReceiptMoment": datetime.datetime.now(datetime.timezone.utc).isoformat(),
    "cbChargeItems": [{"Quantity": 2, "Description": "Coffee", "Amount": 7.6, "VATRate": rate}],
    "cbPayItems": [{"Description": "Cash", "Amount": 7.6}],
}
response = call("/sign", sale)
issued = call("/issue", {"ReceiptRequest": sale, "ReceiptResponse": response})
print(response["ftReceiptIdentification"])
print(issued["DocumentURL"])
