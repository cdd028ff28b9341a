import Foundation
import Program

/// Where the gateway of a home listens; it says so in a file as soon as it does.
struct GatewayAddressFile {
    let path: String

    /// The address; nil when no gateway has ever listened.
    func read() -> ListenAddress? {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return ListenAddress(text.replacing("http://", with: "", maxReplacements: 1))
    }
}
