import Foundation

/// An order that was paid for, as the load generator's journal tells it.
struct PaidOrder: Decodable {
    let orderId: String
    let owner: String

    /// The oldest first.
    static func all(in journal: String) throws -> [PaidOrder] {
        let decoder = JSONDecoder()
        let lines = try Data(contentsOf: URL(filePath: journal)).split(separator: UInt8(ascii: "\n"))
        return try lines.filter { try decoder.decode(Line.self, from: $0).event == "paid" }.map {
            try decoder.decode(PaidOrder.self, from: $0)
        }
    }

    private struct Line: Decodable { let event: String }
}
