/// A text beside a proof that may help, and never costs the proof: whatever is no text counts as absent.
struct Hint: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do { text = try container.decode(String.self) } catch { text = nil }
    }
}
