import ArgumentParser

/// What `--store` says: a URL, from which a password is taken out.
struct StoreOption: ExpressibleByArgument {
    /// Without a password.
    let url: String
    /// Nil if the URL has none.
    let password: String?

    /// Whatever is wrong with it is said later: what is refused here would be shown, with its password.
    init(argument: String) {
        guard let scheme = argument.firstRange(of: "://") else {
            (url, password) = (argument, nil)
            return
        }
        let rest = argument[scheme.upperBound...]
        let place = rest.prefix { $0 != "/" && $0 != "?" }
        guard let at = place.lastIndex(of: "@"), let colon = place[..<at].firstIndex(of: ":") else {
            (url, password) = (argument, nil)
            return
        }
        url = String(argument[..<colon]) + String(rest[at...])
        password = Self.plain(place[place.index(after: colon)..<at])
    }

    /// Text in which `%40` stands for `@`; a percent sign without a code stays.
    private static func plain(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard byte == UInt8(ascii: "%"), digits.utf8.count == 2, let code = UInt8(digits, radix: 16)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
