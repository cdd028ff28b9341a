import ArgumentParser
import Domain

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
        let written = String(place[place.index(after: colon)..<at])
        // One with a percent sign that means nothing was not encoded.
        password = written.percentDecoded ?? written
    }
}
