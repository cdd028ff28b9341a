/// A whole number; one that does not fit is of the wrong type, so that the problem names its member.
struct WholeNumber: Decodable {
    let value: Int

    init(from decoder: any Decoder) throws {
        do {
            value = try decoder.singleValueContainer().decode(Int.self)
        } catch {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "not a whole number",
                underlyingError: error
            )
            throw DecodingError.typeMismatch(Int.self, context)
        }
    }
}
