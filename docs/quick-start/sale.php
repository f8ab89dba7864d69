<?php
// A sale, signed and handed over: php sale.php. PHP 8.1 or newer, 64 bits, with its curl extension.
declare(strict_types=1);

/** Sends a call until it is answered. The same id every time: it is executed once. */
function call(string $path, string $body): string
{
    $id = vsprintf('%s%s-%s-4%.3s-8%.3s-%s%s%s', str_split(bin2hex(random_bytes(16)), 4));
    $headers = [
        'content-type: application/json',
        'x-cashbox-id: ' . getenv('CASHBOX_ID'),
        'x-cashbox-accesstoken: ' . getenv('ACCESS_TOKEN'),
        'x-possystem-id: quick-start',
        'x-operation-id: ' . $id,
    ];
    for ($tries = 1; $tries <= 5; $tries++) {
        $curl = curl_init(getenv('FISKALWERK_URL') . '/v2' . $path);
        curl_setopt_array($curl, [
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 60,
        ]);
        $answer = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if ($answer !== false && $status < 300) {
            return $answer;
        }
        if ($answer !== false && $status !== 503) {
            throw new RuntimeException($answer);
        }
        usleep(200_000 * $tries);
    }
    throw new RuntimeException('no answer has arrived');
}

$request = json_encode([
    'cbReceiptReference' => 'quick-' . bin2hex(random_bytes(8)),
    'cbReceiptMoment' => gmdate('Y-m-d\TH:i:s\Z'),
    'cbChargeItems' => [[
        'Quantity' => 2,
        'Description' => 'Coffee',
        'Amount' => 7.6,
        'VATRate' => getenv('MARKET') === 'DE' ? 19 : 20,
    ]],
    'cbPayItems' => [['Description' => 'Cash', 'Amount' => 7.6]],
], JSON_THROW_ON_ERROR);
// text goes on as text; where it is read, integers of PHP keep all 64 bits
$response = call('/sign', $request);
$issued = call('/issue', '{"ReceiptRequest":' . $request . ',"ReceiptResponse":' . $response . '}');
echo json_decode($response, true, 64, JSON_THROW_ON_ERROR)['ftReceiptIdentification'], "\n";
echo json_decode($issued, true, 64, JSON_THROW_ON_ERROR)['DocumentURL'], "\n";
