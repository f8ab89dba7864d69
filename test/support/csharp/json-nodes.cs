// The members of System.Text.Json.Nodes that the quick start uses, for compilers without them (mono):
// on System.Json, which keeps integers of 64 bits and the digits of decimals.
using Plain = System.Json;

namespace System.Text.Json.Nodes
{
    public class JsonNode
    {
        internal readonly Plain.JsonValue Value;

        internal JsonNode(Plain.JsonValue value) { Value = value; }

        public static JsonNode Parse(string json) => new JsonNode(Plain.JsonValue.Parse(json));

        public JsonNode this[string propertyName]
        {
            get => new JsonNode(Value[propertyName]);
            set => Value[propertyName] = value.Value;
        }

        public JsonNode DeepClone() => Parse(ToJsonString());

        public string ToJsonString() => Value.ToString();

        public override string ToString() =>
            Value.JsonType == Plain.JsonType.String ? (string)Value : ToJsonString();

        public static implicit operator JsonNode(string value) => new JsonNode(value);
        public static implicit operator JsonNode(int value) => new JsonNode(value);
        public static implicit operator JsonNode(decimal value) => new JsonNode(value);
    }

    public sealed class JsonObject : JsonNode
    {
        public JsonObject() : base(new Plain.JsonObject()) { }
    }

    public sealed class JsonArray : JsonNode
    {
        public JsonArray(params JsonNode[] items) : base(new Plain.JsonArray())
        {
            foreach (var item in items) ((Plain.JsonArray)Value).Add(item.Value);
        }
    }
}
