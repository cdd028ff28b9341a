import Glibc
import NIOConcurrencyHelpers

/// The `Date` of responses in the form of RFC 9110, formatted once a second.
enum HTTPDate {
    private static let cache = NIOLockedValueBox((second: time_t(-1), text: ""))

    static var now: String {
        let second = time(nil)
        return cache.withLockedValue { cache in
            if cache.second != second { cache = (second, text(of: second)) }
            return cache.text
        }
    }

    static func text(of second: time_t) -> String {
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        let length = 32
        return String(unsafeUninitializedCapacity: length) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                strftime(characters.baseAddress, length, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            }
        }
    }
}
