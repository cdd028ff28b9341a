import Contracts

struct MemberNames: Decodable {
    let names: [String]

    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: JSONText.Step.self).allKeys.map(\.stringValue)
    }
}
